import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { type ButtonLook, buttonClass } from './button.ts';
import { Spinner } from './Spinner.tsx';

interface Shared extends ButtonLook {
  children?: ReactNode;
  className?: string;
}

export interface ButtonProps extends Shared, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  href?: undefined;
  /** Shows a spinner, announces "Loading" and ignores clicks; the width stays. */
  loading?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export interface ButtonLinkProps extends Shared, Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'> {
  href: string;
  ref?: Ref<HTMLAnchorElement>;
}

/** With `href` a link. The default `type` is "button". */
export function Button(props: ButtonProps | ButtonLinkProps) {
  if (props.href !== undefined) {
    const { variant, size, block, className, ...rest } = props;
    return <a {...rest} className={buttonClass({ variant, size, block }, className)} />;
  }
  const {
    variant,
    size,
    block,
    className,
    loading = false,
    children,
    onClick,
    type = 'button',
    ...rest
  } = props;
  return (
    <button
      {...rest}
      type={type}
      // Not disabled, which would lose the focus.
      aria-disabled={loading || rest['aria-disabled'] || undefined}
      aria-busy={loading || undefined}
      data-loading={loading || undefined}
      onClick={(event) => {
        if (loading) event.preventDefault();
        else onClick?.(event);
      }}
      className={buttonClass({ variant, size, block }, className)}
    >
      {loading ? (
        <>
          <span className="inline-flex items-center gap-2 opacity-0">{children}</span>
          <span className="absolute inset-0 grid place-items-center">
            <Spinner label="Loading" />
          </span>
        </>
      ) : (
        children
      )}
    </button>
  );
}
