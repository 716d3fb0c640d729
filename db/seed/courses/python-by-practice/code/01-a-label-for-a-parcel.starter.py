name = input()
street = input()

print("To:")
