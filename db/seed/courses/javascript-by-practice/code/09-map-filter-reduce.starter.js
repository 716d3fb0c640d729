const trips = [
  { name: 'Lagoon', km: 18, guide: 'Ada' },
  { name: 'Old town', km: 9, guide: 'Grace' },
  { name: 'Ridge', km: 12, guide: 'Ada' },
];

function longTrips(trips, km) {
  return trips.filter((trip) => trip.km > km);
}

function totalKm(trips) {
  return trips.length;
}

function kmByGuide(trips) {
  return {};
}

console.log(JSON.stringify(longTrips(trips, 12)));
