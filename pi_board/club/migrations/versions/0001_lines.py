"""The journal lines of all boards."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "lines",
        sa.Column("board", sa.String(31), primary_key=True),
        sa.Column("session", sa.String(64), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("type", sa.String(32), nullable=False),
        sa.Column("document", sa.Text, nullable=False),
    )
    op.create_index("lines_type", "lines", ["type"])


def downgrade() -> None:
    op.drop_table("lines")
