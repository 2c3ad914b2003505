// Package figmatree reads the answers of Figma servers and makes them small: it
// parses what Framelink's figma-developer-mcp and the Figma REST API send, takes
// out what nobody needs to build the component, and writes the rest densely.
// Texts go in and come out; nothing else is touched.
//
// The shapes that are understood:
//
//   - Framelink's, today (metadata, nodes, globalVars, elements with template
//     references, inline or shared styles) and as older versions wrote it
//     (globalVars.styles only), in JSON or YAML;
//   - the REST API's: a file ({document, components, …}), an answer for several
//     nodes ({nodes: {id: {document, …}}}), one node.
//
// The formats are those of figma-developer-mcp 0.13.2 and of the Figma REST API
// as of 2026.
package figmatree
