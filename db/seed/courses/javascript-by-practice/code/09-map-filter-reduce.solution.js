const trips = [
  { name: 'Lagoon', km: 18, guide: 'Ada' },
  { name: 'Old town', km: 9, guide: 'Grace' },
  { name: 'Ridge', km: 12, guide: 'Ada' },
];

function longTrips(trips, km) {
  return trips.filter((trip) => trip.km >= km).map((trip) => trip.name);
}

function totalKm(trips) {
  return trips.reduce((sum, trip) => sum + trip.km, 0);
}

function kmByGuide(trips) {
  return trips.reduce((sums, { guide, km }) => {
    sums[guide] = (sums[guide] ?? 0) + km;
    return sums;
  }, {});
}

console.log(JSON.stringify(longTrips(trips, 12)));
