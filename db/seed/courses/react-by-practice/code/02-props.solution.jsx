export function Trip({ name, price, guide = 'a guide' }) {
  return (
    <article>
      <h2>{name}</h2>
      <p className="price">${price.toFixed(2)}</p>
      <p className="guide">with {guide}</p>
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
