"""Bytes of the built program, and the instances of the replay in its object code.

In: a folder of built files, `target/release`. Out: bytes as built and without symbols; for each row of INSTANCES how many functions
the compiler made, and their bytes.

After the replay has been restructured, INSTANCES must name its functions as they are called then: run `nm -C` on the libraries in
target/release/deps and look for what appears once per visitor. A generic function is in the crate that calls it with its types.
"""
import pathlib
import re
import shutil
import subprocess
import tempfile

# Label, and a regular expression for the path of a function without generic arguments, as `path` returns it. Closures of such
# a function have a longer path and are not counted.
INSTANCES = [
    ("movetext loop", r"::moves::(token_loop|movetext)$"),
    ("fast path", r"::fast_movetext$|::replay::fast::.*::(run|erased_stretch)$"),
    ("loops per vector level", r"\bpgnmill_simd::\w+::run\w*$"),
    ("replay, all functions", r"::replay::"),
    ("all functions", r""),
]


def size(path):
    return pathlib.Path(path).stat().st_size


def stripped_size(program):
    """Bytes of the program without symbols and debug information; None without `strip`."""
    if not shutil.which("strip"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        stripped = pathlib.Path(folder, "program")
        subprocess.run(["strip", "-o", stripped, program], check=True)
        return size(stripped)


def closing(name, at):
    """The index of the bracket that closes the one at `at`."""
    depth = 0
    for index in range(at, len(name)):
        depth += (name[index] == "<") - (name[index] == ">")
        if depth == 0:
            return index
    return len(name)


def path(name):
    """The path of a demangled function without generic arguments and hash: `<a::B<C> as d::E>::f::<G>` is `a::B::f`."""
    name = re.sub(r"::h[0-9a-f]{16}$", "", name).replace("->", "")
    kept, at = "", 0
    while at < len(name):
        if name[at] != "<":
            kept += name[at]
            at += 1
            continue
        end = closing(name, at)
        # At the beginning it is the type of the implementation, perhaps with a trait; elsewhere they are arguments.
        if at == 0:
            kept = path(name[1:end])
        at = end + 1
    # What is left of ` as ` is the type, where this is called for the inside of brackets.
    return re.sub(r"(::)+", "::", kept.split(" as ")[0]).rstrip(":")


def functions(files):
    """(mangled name, path, bytes) of the functions in object files; none if these are not objects of this system's format."""
    found = {}
    for file in files:
        listed = []
        for options in [[], ["-C"]]:
            done = subprocess.run(["nm", "-p", "-S", "--defined-only", *options, file], capture_output=True, text=True)
            listed.append([line for line in done.stdout.splitlines() if re.match(r"[0-9a-f]+ [0-9a-f]+ [tTwW] ", line)])
        for mangled, demangled in zip(*listed):
            _, length, _, name = demangled.split(" ", 3)
            found[mangled.split(" ", 3)[3]] = path(name), int(length, 16)
    return found


def instances(target, crates):
    """(label, functions, bytes) for each row of INSTANCES; None without `nm` or without symbols.

    `crates` are the names of this repository's libraries. With link-time optimisation they contain no object code: then the
    program is read, in which what was inlined everywhere no longer exists.
    """
    if not shutil.which("nm"):
        return None
    libraries = []
    for crate in crates:
        built = sorted((target / "deps").glob(f"lib{crate}-*.rlib"), key=lambda file: file.stat().st_mtime)
        libraries += built[-1:]
    found = functions(libraries) or functions([target / "pgnmill"])
    if not found:
        return None
    rows = []
    for label, pattern in INSTANCES:
        sizes = [length for name, length in found.values() if re.search(pattern, name)]
        rows.append((label, len(sizes), sum(sizes)))
    return rows


def self_test():
    cases = {
        "pgnmill_core::replay::moves::<impl pgnmill_core::replay::Replayer>::token_loop::h0123456789abcdef": "token_loop",
        "<pgnmill_core::replay::Replayer<A>>::token_loop::<R<B>, true>": "pgnmill_core::replay::Replayer::token_loop",
        "<pgnmill_core::replay::fast::movetext::Stretch<V> as pgnmill_simd::Kernel>::run::<pgnmill_simd::avx2::Avx2>":
            "pgnmill_core::replay::fast::movetext::Stretch::run",
        "pgnmill_core::replay::token_loop::<fn(A) -> B>::{closure#0}": "pgnmill_core::replay::token_loop::{closure#0}",
        "core::iter::map::<pgnmill_core::token_loop<A>, B>": "core::iter::map",
        "pgnmill_simd::avx2::run::<pgnmill_io::archive::line_scan::Scan>": "pgnmill_simd::avx2::run",
    }
    for name, expected in cases.items():
        assert path(name).endswith(expected), (path(name), expected)
