def initials(name):
    return name[0]


def is_palindrome(text):
    return text == text


print(initials("ada lovelace"))
