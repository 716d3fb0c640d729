"""Makes the standard library's archive that programs get, once, when the judge is built.

Leaves out what belongs to the bridge to JavaScript or needs what is not there, and translates modules that are not in
the snapshot but that a lesson may well import: reading their source would take most of a program's time.
"""

import importlib.util
import marshal
import zipfile

SOURCE = "/lib/python314.zip"
TARGET = "/tmp/stdlib.zip"

LEFT_OUT = ("_pyodide/", "pyodide/", "ctypes/", "_pyrepl/", "pydoc_data/", "antigravity.py", "site-packages/")
TRANSLATED = """
_ssl bdb cmd code codeop compression/ configparser doctest email/ gzip http/ ipaddress linecache logging/ mimetypes
optparse pdb pkgutil pydoc smtplib socketserver sqlite3/ ssl subprocess tomllib/ trace urllib/ webbrowser xml/ zipfile/
""".split()


def repack():
    with zipfile.ZipFile(SOURCE) as old, zipfile.ZipFile(TARGET, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        for entry in old.infolist():
            name = entry.filename
            if name.startswith(LEFT_OUT) or name.endswith("/"):
                continue
            data = old.read(entry)
            module = name.removesuffix(".py")
            if name.endswith(".py") and (module in TRANSLATED or name[: name.find("/") + 1] in TRANSLATED):
                code = compile(data, f"{SOURCE}/{name}", "exec", dont_inherit=True)
                # No time stamp to compare: the source is not in the archive.
                header = importlib.util.MAGIC_NUMBER + (0).to_bytes(12, "little")
                new.writestr(f"{module}.pyc", header + marshal.dumps(code))
            else:
                new.writestr(name, data)


repack()
