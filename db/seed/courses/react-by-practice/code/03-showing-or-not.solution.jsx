export default function Seats({ free, total }) {
  if (total === 0) return null;
  if (free === 0) return <p>Sold out</p>;
  return (
    <div>
      <p>
        {free} {free === 1 ? 'seat' : 'seats'} left
      </p>
      {free <= 3 && <strong>Hurry!</strong>}
    </div>
  );
}
