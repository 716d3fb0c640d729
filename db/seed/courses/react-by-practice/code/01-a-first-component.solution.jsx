const seats = 8;
const taken = 3;

export default function Welcome() {
  return (
    <main>
      <h1>Lagoon Tours</h1>
      <p className="seats">
        {seats - taken} of {seats} seats are free
      </p>
    </main>
  );
}
