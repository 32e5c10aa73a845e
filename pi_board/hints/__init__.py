"""hints"""
