"""What flows from verb to verb: small frozen records that depend on nothing but Python."""
