name = input()
street = input()

print(f"To: {name}")
print(street)
print("Handle with care!")
