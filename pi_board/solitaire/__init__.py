"""solitaire"""
