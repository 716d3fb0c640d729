export default function Seats({ free, total }) {
  return (
    <div>
      <p>{free} seats left</p>
      {free && <strong>Hurry!</strong>}
    </div>
  );
}
