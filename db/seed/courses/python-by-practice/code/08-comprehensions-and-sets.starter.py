def clean(addresses):
    return [address.lower() for address in addresses]


def squares(numbers):
    return {}


def absent(members, present):
    return members


print(clean([" Ada@example.com", "", "grace@Example.com "]))
