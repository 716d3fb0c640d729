const seats = 8;
const taken = 3;

export default function Welcome() {
  return <h1>Hello</h1>;
}
