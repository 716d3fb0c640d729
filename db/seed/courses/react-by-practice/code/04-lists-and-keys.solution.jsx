const today = [
  { id: 'r7', name: 'Ridge', hour: 14, isCanceled: false },
  { id: 'l1', name: 'Lagoon', hour: 10, isCanceled: false },
  { id: 'o4', name: 'Old town', hour: 12, isCanceled: true },
];

export function Departures({ trips }) {
  const shown = trips.filter((trip) => !trip.isCanceled).toSorted((a, b) => a.hour - b.hour);
  if (shown.length === 0) return <p>No departures</p>;
  return (
    <ul>
      {shown.map((trip) => (
        <li key={trip.id}>
          {trip.hour}:00 {trip.name}
        </li>
      ))}
    </ul>
  );
}

export default function App() {
  return <Departures trips={today} />;
}
