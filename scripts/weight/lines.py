"""Lines of code in Rust sources: without comments, blank lines and tests.

In: a folder of the repository. Out: the number of lines. What is a test is decided as tests/project/tidy.rs does: the module `tests` at
the end of a file, and files that are declared below `#[cfg(test)]`, alone or by the module of their folder. Macros that write
code count as they are written.
"""
import re

# A comment, or a literal: text that may contain the beginning of the other.
SKIPPED = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|r"[^"]*"|r(?P<hashes>\#+)".*?"(?P=hashes)|"(?:\\.|[^"\\])*"|'(?:\\.[^']*|[^\\'])'""",
    re.DOTALL | re.VERBOSE,
)
TEST_MODULE = "#[cfg(test)]\nmod tests {"


def code_of(source):
    """The source with the same lines, without comments; literals are a row of `x`."""

    def hidden(found):
        return re.sub(r"[^\s]", " " if found.group("comment") else "x", found.group())

    return SKIPPED.sub(hidden, source)


def count(source):
    """Lines of code of a source before its test module."""
    code = code_of(source).split(TEST_MODULE)[0]
    return sum(1 for line in code.splitlines() if line.strip())


def is_for_tests(path, root):
    """Is a file, or the module of its folder, declared below `#[cfg(test)]`?"""
    for sibling in path.parent.glob("*.rs"):
        for declared in sibling.read_text(encoding="utf-8").split("#[cfg(test)]\n")[1:]:
            item = declared.split(";")[0]
            if item.endswith(f"mod {path.stem}") or f'"{path.stem}.rs"' in item:
                return True
    return path.parent != root and root in path.parent.parents and is_for_tests(path.parent, root)


def count_below(root):
    """Lines of code of all sources below a folder."""
    sources = sorted(root.rglob("*.rs"))
    return sum(count(path.read_text(encoding="utf-8")) for path in sources if not is_for_tests(path, root))


def self_test():
    source = """//! A file.
/* Two
lines. */ fn f() -> &'static str {
    let open = '{'; // one

    let quote = '\\'';
    // "not a literal
    r#"text " // no comment
    of two lines"#
}
#[cfg(test)]
mod tests {
    fn g() {}
}
"""
    assert count(source) == 6, count(source)
    assert count('fn f<\'a>(x: &\'a str) { g("// \\" {"); }\n// end') == 1
    assert "{" not in code_of("'{' \"{\" r\"{\" // {")
