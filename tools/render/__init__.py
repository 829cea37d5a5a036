"""Timelines and vote trees as text, data and pictures. Each rendering has its own file; none of them knows the
rules.
"""
