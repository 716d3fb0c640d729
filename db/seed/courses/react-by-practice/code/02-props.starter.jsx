export function Trip(props) {
  return (
    <article>
      <h2>Trip</h2>
    </article>
  );
}

export default function App() {
  return (
    <>
      <Trip name="Lagoon" price={12.5} guide="Ada" />
      <Trip name="Old town" price={9} />
    </>
  );
}
