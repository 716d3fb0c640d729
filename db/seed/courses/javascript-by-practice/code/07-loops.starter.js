function longestStreak(steps, goal) {
  let days = 0;
  for (const count of steps) {
    if (count > goal) days += 1;
  }
  return days;
}

function daysToReach(steps, target) {
  return null;
}

console.log(longestStreak([8000, 12000, 11000, 4000, 15000], 10000));
