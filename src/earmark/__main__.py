"""`python -m earmark` is `earmark`."""

from earmark.cli.main import main

if __name__ == "__main__":
    main()
