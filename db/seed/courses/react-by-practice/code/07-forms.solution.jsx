import { useState } from 'react';

export default function SignUp() {
  const [name, setName] = useState('');
  const [trip, setTrip] = useState('Lagoon');
  const [problem, setProblem] = useState(null);
  const [success, setSuccess] = useState(null);

  function handleSubmit(event) {
    event.preventDefault();
    const clean = name.trim();
    if (!clean) {
      setProblem('Please enter your name');
      setSuccess(null);
      return;
    }
    setProblem(null);
    setSuccess(`${clean} joins ${trip}`);
    setName('');
  }

  return (
    <form onSubmit={handleSubmit}>
      <label>
        Name <input value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <label>
        Trip{' '}
        <select value={trip} onChange={(event) => setTrip(event.target.value)}>
          <option>Lagoon</option>
          <option>Ridge</option>
        </select>
      </label>
      <button>Sign up</button>
      {problem && <p role="alert">{problem}</p>}
      {success && <p role="status">{success}</p>}
    </form>
  );
}
