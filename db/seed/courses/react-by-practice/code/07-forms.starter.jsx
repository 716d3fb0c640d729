import { useState } from 'react';

export default function SignUp() {
  const [name, setName] = useState('');
  return (
    <form>
      <label>
        Name <input value={name} />
      </label>
      <label>
        Trip{' '}
        <select>
          <option>Lagoon</option>
          <option>Ridge</option>
        </select>
      </label>
      <button>Sign up</button>
    </form>
  );
}
