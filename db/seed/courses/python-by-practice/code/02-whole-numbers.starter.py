minutes = input()
meters = input()

print(f"{minutes} min")
print(f"{meters} m")
