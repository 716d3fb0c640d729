def count_words(text):
    counts = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def by_first_letter(names):
    groups = {}
    for name in names:
        groups.setdefault(name[0], []).append(name)
    return groups


print(count_words("Tea milk tea"))
