#!/usr/bin/env python3
# What ns-3's test.py runs of examples/: (program and arguments, whether to run it, whether to run it under valgrind)
cpp_examples = [
    ("first-ring", "True", "False"),
    ("first-ring --codec=truncate --exchange=tree", "True", "False"),
    ("lossy-ring", "True", "False"),
    ("one-nic", "True", "False"),
    ("own-codec", "True", "False"),
    ("own-topology", "True", "False"),
    ("switch-sum", "True", "False"),
    ("two-lans --bulk=0", "True", "False"),
    ("two-lans --bridged=1", "True", "False"),
]
python_examples = []
