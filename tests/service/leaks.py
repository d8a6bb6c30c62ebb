"""leaks.py - secrets that a test has seen, and where they must not be."""
import re
from pathlib import Path


class Secrets:
    def __init__(self):
        self.texts = set()

    def add(self, *texts):
        """A secret of at least 16 characters; of a long one every part of 16 is looked for."""
        for text in texts:
            assert len(text) >= 16, text
            self.texts.add(text)
        return texts[0]

    def found(self, content):
        """Those that are in the content (bytes or text), whole or in part."""
        data = content if isinstance(content, bytes) else content.encode()
        runs = set()
        for run in re.findall(rb"[0-9a-f]{16,}", data.lower()):
            runs.update(run[i:i + 16] for i in range(len(run) - 15))
        digits = [re.sub("^spar_", "", text).encode() for text in self.texts]
        return [d.decode() for d in digits if d in data or any(d[i:i + 16] in runs for i in range(len(d) - 15))]

    def found_in_files(self, folder):
        """(file, secret) for all files of a folder, the databases included."""
        return [(path.name, secret) for path in sorted(Path(folder).rglob("*")) if path.is_file()
                for secret in self.found(path.read_bytes())]
