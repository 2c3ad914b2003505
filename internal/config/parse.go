package config

// Parsers: from the text of a variable to its field.

import (
	"errors"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/argv"
	"github.com/playguard/playguard/internal/endpoint"
)

const (
	acceptedBool = "true, false, 1, 0, yes, no, on, off"
	acceptedArgs = `arguments separated by spaces, with "..." or '...' around one that contains a space`

	megabyte  = 1 << 20
	maxMillis = 1<<31 - 1 // 24 days, far below what a time.Duration holds
)

// boolean makes a setting that is on or off.
func boolean(name, def, section, doc string, field func(*Config) *bool) Setting {
	return Setting{Name: name, Default: def, Kind: KindBool, Accepted: acceptedBool, Doc: doc, Section: section,
		set: func(c *Config, value string) error {
			on, err := parseBool(value)
			if err == nil {
				*field(c) = on
			}
			return err
		}}
}

// choice makes a setting with a few values, the first of which is the default.
// Upper and lower case are the same.
func choice(name, section, doc string, field func(*Config) *string, values ...string) Setting {
	return Setting{Name: name, Default: values[0], Kind: KindChoice, Accepted: strings.Join(values, ", "), Doc: doc, Section: section,
		set: func(c *Config, value string) error {
			for _, known := range values {
				if strings.EqualFold(value, known) {
					*field(c) = known
					return nil
				}
			}
			return errors.New("it is none of the values")
		}}
}

// location makes a setting that names a file or folder; it is kept as written.
func location(name, shown, section, doc string, field func(*Config) *string) Setting {
	return Setting{Name: name, DefaultText: shown, Kind: KindPath, Accepted: "a path", Doc: doc, Section: section,
		set: func(c *Config, value string) error {
			*field(c) = value
			return nil
		}}
}

// millis makes a setting that is a time in milliseconds, at least minimum.
func millis(name, def string, minimum int, section, doc string, field func(*Config) *time.Duration) Setting {
	return Setting{Name: name, Default: def, Kind: KindMillis, Doc: doc, Section: section,
		Accepted: fmt.Sprintf("a whole number of milliseconds from %d to %d", minimum, maxMillis),
		set: func(c *Config, value string) error {
			n, err := parseInt(value, minimum, maxMillis)
			if err == nil {
				*field(c) = time.Duration(n) * time.Millisecond
			}
			return err
		}}
}

// count makes a setting that is a number of things, at least 0.
func count(name, def, what, section, doc string, field func(*Config) *int) Setting {
	return Setting{Name: name, Default: def, Kind: KindCount, Doc: doc, Section: section,
		Accepted: fmt.Sprintf("a whole number of %s from 0 to %d", what, maxMillis),
		set: func(c *Config, value string) error {
			n, err := parseInt(value, 0, maxMillis)
			if err == nil {
				*field(c) = n
			}
			return err
		}}
}

// fraction makes a setting from 0 to 1.
func fraction(name, def, section, doc string, field func(*Config) *float64) Setting {
	return Setting{Name: name, Default: def, Kind: KindFraction, Accepted: "a number from 0 to 1", Doc: doc, Section: section,
		set: func(c *Config, value string) error {
			f, err := strconv.ParseFloat(value, 64)
			if err != nil || !(f >= 0 && f <= 1) {
				return errors.New("it is no number from 0 to 1")
			}
			*field(c) = f
			return nil
		}}
}

func parseBool(value string) (bool, error) {
	switch strings.ToLower(value) {
	case "true", "1", "yes", "on":
		return true, nil
	case "false", "0", "no", "off":
		return false, nil
	}
	return false, errors.New("it is neither true nor false")
}

func parseInt(value string, minimum, maximum int) (int, error) {
	n, err := strconv.Atoi(value)
	switch {
	case err != nil && errors.Is(err, strconv.ErrRange):
		return 0, errors.New("it is out of range")
	case err != nil:
		return 0, errors.New("it is not a whole number")
	case n < minimum || n > maximum:
		return 0, errors.New("it is out of range")
	}
	return n, nil
}

func setCodegen(c *Config, value string) error {
	if value != "" && !strings.EqualFold(value, "keep") {
		return errors.New("it is not the one value there is")
	}
	c.KeepCodegen = value != ""
	return nil
}

// command sets a program with its arguments.
func command(field func(*Config) *[]string) func(*Config, string) error {
	return func(c *Config, value string) error {
		words, err := argv.Command(value, isFile)
		if err != nil {
			return err
		}
		if len(words) > 0 && words[0] == "" {
			return errors.New("it names no program")
		}
		*field(c) = words
		return nil
	}
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// arguments sets a list of arguments.
func arguments(field func(*Config) *[]string) func(*Config, string) error {
	return func(c *Config, value string) error {
		args, err := argv.Split(value)
		if err == nil {
			*field(c) = args
		}
		return err
	}
}

// setPassEnv takes names and globs. The glob's syntax is that of path.Match, so
// that a wrong one is found here and not at the first start of an upstream.
func setPassEnv(c *Config, value string) error {
	var names []string
	for _, name := range strings.Split(value, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		if _, err := path.Match(name, ""); err != nil || strings.ContainsAny(name, "= /") {
			return fmt.Errorf("%q is not the name of a variable", name)
		}
		names = append(names, name)
	}
	c.PassEnv = names
	return nil
}

// setFigmaURL refuses Figma's remote server: it lets in only the clients of its
// own catalogue, so every call would fail after a sign-in in the browser.
func setFigmaURL(c *Config, value string) error {
	if value == "" {
		c.FigmaURL = endpoint.Endpoint{}
		return nil
	}
	// First of all: without https, or without any scheme, the reason is the same.
	if endpoint.HostOf(value) == "mcp.figma.com" {
		return errors.New("it is Figma's remote server, which admits only the clients of its own catalogue, so it can't go through PlayGuard; " +
			"add it to your client beside PlayGuard (claude mcp add --transport http figma https://mcp.figma.com/mcp)")
	}
	at, err := endpoint.Parse(value)
	if err != nil {
		return err
	}
	c.FigmaURL = at
	return nil
}

func setMaxLine(c *Config, value string) error {
	n, err := parseInt(value, 1, 1024)
	if err == nil {
		c.MaxLineBytes = n * megabyte
	}
	return err
}
