const today = [
  { id: 'r7', name: 'Ridge', hour: 14, isCanceled: false },
  { id: 'l1', name: 'Lagoon', hour: 10, isCanceled: false },
  { id: 'o4', name: 'Old town', hour: 12, isCanceled: true },
];

export function Departures({ trips }) {
  return (
    <ul>
      <li>{trips[0].name}</li>
    </ul>
  );
}

export default function App() {
  return <Departures trips={today} />;
}
