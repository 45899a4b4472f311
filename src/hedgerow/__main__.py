"""``python -m hedgerow`` is the command line."""

import sys

from hedgerow.cli import main

sys.exit(main())
