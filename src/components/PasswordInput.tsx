import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { classNames } from './class-names.ts';
import { Input, type InputProps } from './Input.tsx';

export function PasswordInput({
  className,
  autoComplete = 'current-password',
  ...props
}: Omit<InputProps, 'type'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input
        autoCapitalize="none"
        spellCheck={false}
        {...props}
        autoComplete={autoComplete}
        type={shown ? 'text' : 'password'}
        className={classNames('pr-12', className)}
      />
      <button
        type="button"
        aria-label={shown ? 'Hide password' : 'Show password'}
        disabled={props.disabled}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-md text-ink-soft hover:text-ink disabled:opacity-55 noscript:hidden"
      >
        <Icon aria-hidden="true" className="size-5" />
      </button>
    </div>
  );
}
