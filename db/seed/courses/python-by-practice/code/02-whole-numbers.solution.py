minutes = int(input())
meters = int(input())

print(f"{minutes // 60} h {minutes % 60} min")
print(f"{meters // 1000} km")
