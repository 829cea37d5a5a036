"""The files of the desk, which `tiro desk` writes as a site."""
