import { useState } from 'react';

export default function SignUp() {
  const [name, setName] = useState('');
  return (
    <form>
      <label>
        Name <input value={name} />
      </label>
      <button>Sign up</button>
    </form>
  );
}
