package catalog

// This file gives out the names under which tools and prompts are listed.

// earlier is the names of the catalogue before. A client may still call by them,
// so each stays with its upstream, also when another one turns up that would
// come first.
type earlier struct {
	owners map[string]Owner
	names  map[Owner]string
}

func newEarlier(owners map[string]Owner) earlier {
	e := earlier{owners: owners, names: make(map[Owner]string, len(owners))}
	for name, owner := range owners {
		// A server that lists a name twice owns two; which is kept must not
		// depend on the order of a map.
		if had, twice := e.names[owner]; !twice || name < had {
			e.names[owner] = name
		}
	}
	return e
}

// claim gives a name to an upstream. A name that is taken is listed behind the
// upstream's own name, and one that clients refuse is mended.
func (c *Catalog) claim(taken map[string]Owner, before earlier, what, upstream, name string, source int) (string, bool) {
	if name == "" {
		c.note("a %s of %s has no name and is left out", what, upstream)
		return "", false
	}
	owner := Owner{source, name}
	free := func(listed string) bool {
		_, clash := taken[listed]
		had, known := before.owners[listed]
		return !clash && (!known || had == owner)
	}
	listed, had := before.names[owner]
	if !had {
		listed = safeName(name)
	}
	if !free(listed) {
		listed = safeName(upstream + "_" + name)
	}
	if !free(listed) {
		c.note("the %s %q of %s is left out, because its name is taken twice", what, name, upstream)
		return "", false
	}
	if listed != name {
		c.note("the %s %q of %s is listed as %q", what, name, upstream, listed)
	}
	taken[listed] = owner
	return listed, true
}
