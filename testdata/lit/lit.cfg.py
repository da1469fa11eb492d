# LLVM's own lit over the golden tests that `go test` runs. PATH must have
# ptxlower, FileCheck and not in front: see .ci/run.
import os
import shutil
import tempfile

import lit.formats

config.name = "ptxlower"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".ptx", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.environ.get("PTXLOWER_LIT_OUT") or tempfile.mkdtemp(prefix="ptxlower-lit.")

judges = os.path.join(config.test_source_root, "..", "..", ".cache", "judges", "bin")
path = os.pathsep.join([os.environ.get("PATH", ""), os.path.abspath(judges)])
config.environment["PATH"] = path

# A feature and the tools any of which brings it; the same table as in
# internal/lit.
features = {
    "llvm-14": ["llvm-as-14"],
    "llvm-16": ["llvm-as-16"],
    "llvm-19": ["llvm-as-19"],
    "llvm-22": ["llvm-as-22"],
    "clang-14": ["clang-14"],
    "clang-16": ["clang-16"],
    "clang-19": ["clang-19"],
    "clang-22": ["clang-22"],
    "ptxas": ["ptxas-11.8", "ptxas-12.9", "ptxas-13.5"],
    "nvdisasm": ["nvdisasm-12.8", "nvdisasm-13.5"],
    "z3": ["z3"],
    "cvc5": ["cvc5"],
}
for feature, tools in features.items():
    if any(shutil.which(tool, path=path) for tool in tools):
        config.available_features.add(feature)
