"""Information flow: which secrets may reach a value, a message, a question or an attribute.

The analysis works on the typed program. It walks each body (a verb, an action, a setup, a turn) once. The
walk records explicit flows (assignments, arguments, results) and implicit flows (a test decides whether a
statement runs). A fixpoint over the call graph then gives every variable a set of labels. A label names a
source of secrets. The checker warns where labels reach a question or a failure. The engines hide values by
their labels.
"""
