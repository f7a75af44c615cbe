# SPDX-License-Identifier: GPL-2.0
"""The module that options of kermon-framework import: the types of components, which the
program knows, and their properties. The program runs this file, with their description, the
file of options and its arguments; what the options have created goes to descriptor 3."""

import difflib
import fnmatch
import math
import os
import runpy
import sys
import traceback
from dataclasses import dataclass

NAMES = {"int": "an integer", "float": "a number", "bool": "True or False", "str": "a string",
         "list": "a list of components or names", "patterns": "a list of names or patterns"}
LISTS = ("list", "patterns")
# How infinite limits are written.
LIMITS = {"int": int, "float": float}


class OptionsError(Exception):
    """Options are wrong: the message says what to change."""


def one_of(names):
    return ", ".join(sorted(names)) or "none"


def unknown(what, name, names):
    """A message, with the nearest valid name if there is one."""
    near = difflib.get_close_matches(name, names, 1)
    return OptionsError(f"{what} `{name}`" + (f"; did you mean `{near[0]}`?" if near else
                                              f"; valid: {one_of(names)}"))


def is_word(value):
    """Whether a text may be part of the description of a component."""
    return isinstance(value, str) and value and not set(value) & set("\t\n\r\0")


@dataclass
class Property:
    """What the program says about a property; more: limits or choices."""
    name: str
    help: str
    kind: str
    preset: str
    more: list

    def refuse(self, owner, value, wanted=None):
        raise OptionsError(f"{owner}.{self.name} must be {wanted or NAMES[self.kind]}, "
                           f"not {value!r}")

    def check_number(self, owner, value):
        if isinstance(value, bool) or not isinstance(value, (int, *{int, LIMITS[self.kind]})):
            self.refuse(owner, value)
        low, high = map(LIMITS[self.kind], self.more)
        if math.isnan(value) or not low <= value <= high:
            wanted = f"at least {low}" if high == 2 ** 63 - 1 else f"from {low:g} to {high:g}"
            self.refuse(owner, value, wanted)

    def check(self, owner, value):
        """Raise OptionsError if the property cannot have this value."""
        if self.kind in LIMITS:
            self.check_number(owner, value)
        elif self.kind == "bool" and not isinstance(value, bool):
            self.refuse(owner, value)
        elif self.kind in LISTS:
            if not isinstance(value, (list, tuple)) or \
                    not all(isinstance(part, Component) or is_word(part) for part in value):
                self.refuse(owner, value)
        elif self.kind == "str":
            if not is_word(value):
                self.refuse(owner, value)
            if self.more and value not in self.more:
                self.refuse(owner, value, f"one of {one_of(self.more)}")

    def default(self):
        if self.kind in LISTS:
            return []
        return self.preset == "True" if self.kind == "bool" else \
            LIMITS.get(self.kind, str)(self.preset)


class Component:
    """An object of the program, by its name: the same name is the same object. Attributes are
    its properties."""
    _properties = {}
    _all = {}

    def __new__(cls, name=None, **_):
        name = name or cls.__name__
        if not is_word(name):
            raise OptionsError("a name must be a string without tabs and line breaks, "
                               f"not {name!r}")
        found = Component._all.get(name)
        if found is None:
            found = Component._all[name] = super().__new__(cls)
            found.__dict__.update({"_name": name, "_values": {}})
        elif type(found) is not cls:
            raise OptionsError(f"`{name}` is already a {type(found).__name__}; a "
                               f"{cls.__name__} needs another name")
        return found

    def __init__(self, name=None, **values):
        for key, value in values.items():
            setattr(self, key, value)

    def _property(self, name):
        if name not in self._properties:
            raise unknown(f"{type(self).__name__} has no property", name, self._properties)
        return self._properties[name]

    def getName(self):
        return self._name

    def __setattr__(self, name, value):
        self._property(name).check(self._name, value)
        self._values[name] = value

    def __getattr__(self, name):
        """The value; of a list, to be appended to."""
        if name.startswith("__"):
            raise AttributeError(name)
        return self._values.setdefault(name, self._property(name).default())

    def __repr__(self):
        return f"{type(self).__name__}({self._name!r})"

    def _lines(self):
        yield "component", type(self).__name__, self._name
        for name, value in self._values.items():
            # Lists may have changed since.
            self._property(name).check(self._name, value)
            parts = value if isinstance(value, (list, tuple)) else [value]
            yield "property", name, *(part._name if isinstance(part, Component) else str(part)
                                      for part in parts)


def define_types(description):
    """Types by name, as the program describes them."""
    types = {}
    for line in description.splitlines():
        word, name, *rest = line.split("\t")
        if word == "type":
            properties = {}
            types[name] = type(name, (Component,), {"_properties": properties})
        else:
            text, kind, *values = rest
            properties[name] = Property(name, text, kind, values[0] if values else "", values[1:])
    return types


def check_names():
    """Names in lists are those of components, and patterns match some."""
    for component in Component._all.values():
        for name, value in component._values.items():
            for part in value if component._property(name).kind in LISTS else []:
                if not isinstance(part, str):
                    continue
                known = fnmatch.filter(Component._all, part) if \
                    component._property(name).kind == "patterns" else part in Component._all
                if not known:
                    raise unknown(f"{component._name}.{name}: no component", part,
                                  Component._all)


def place_of(error, file):
    """Line of the options where an exception was raised, or None."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if frame.filename == file]
    return lines[-1] if lines else None


def report(error, file):
    line = place_of(error, file)
    place = f"{file}:{line}" if line else file
    what = error if isinstance(error, OptionsError) else f"{type(error).__name__}: {error}"
    sys.exit(f"kermon-framework: {place}: {what}")


def run(file, types):
    """Run a file of options; exits with a message if it fails."""
    try:
        runpy.run_path(file, init_globals=None, run_name="__main__")
        for name in ("ApplicationMgr", "AuditorSvc"):
            types[name]()
        check_names()
        return [line for component in list(Component._all.values())
                for line in component._lines()]
    except OSError as error:
        if error.filename and os.path.abspath(error.filename) == os.path.abspath(file):
            sys.exit(f"kermon-framework: cannot read the options: {file}: {error.strerror}")
        report(error, file)
    except Exception as error:
        report(error, file)


def main():
    description, file, *arguments = sys.argv[1:]
    types = define_types(description)
    module = sys.modules["Configurables"] = sys.modules["__main__"]
    vars(module).update(types)
    module.__all__ = [*types, "OptionsError"]
    sys.argv = [file, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    lines = run(file, types)
    with os.fdopen(3, "w", encoding="utf-8") as out:
        out.writelines("\t".join(words) + "\n" for words in lines)


if __name__ == "__main__":
    main()
