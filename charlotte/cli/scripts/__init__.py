"""Scripts of ``charlotte script``: their language, the check before a run, the run, the journal."""
