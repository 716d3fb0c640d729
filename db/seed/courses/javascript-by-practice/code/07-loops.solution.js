function longestStreak(steps, goal) {
  let longest = 0;
  let current = 0;
  for (const count of steps) {
    if (count >= goal) current += 1;
    else current = 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

function daysToReach(steps, target) {
  let total = 0;
  for (let day = 1; day <= steps.length; day += 1) {
    total += steps[day - 1];
    if (total >= target) return day;
  }
  return null;
}

console.log(longestStreak([8000, 12000, 11000, 4000, 15000], 10000));
