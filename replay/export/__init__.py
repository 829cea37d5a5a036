"""Timelines and vote trees as text, data and pictures. Each rendering is a file; none of them knows the rules."""
