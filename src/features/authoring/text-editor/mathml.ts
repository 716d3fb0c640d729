// Digits are parts, a star is all of them.
const SHAPES: Record<string, string> = {
  mfrac: '\\frac{0}{1}',
  mroot: '\\sqrt[1]{0}',
  msqrt: '\\sqrt{*}',
  msup: '{0}^{1}',
  msub: '{0}_{1}',
  msubsup: '{0}_{1}^{2}',
  munder: '0_{1}',
  mover: '\\overset{1}{0}',
  munderover: '0_{1}^{2}',
  mtable: '\\begin{matrix}*\\end{matrix}',
  mtr: '*\\\\',
  mtd: '*&',
  mtext: '\\text{*}',
};

/** LaTeX of MathML that does not bring its source. */
export function texOf({ localName, children, textContent }: Element): string {
  const text = textContent.replace(/\p{Cf}/gu, '').replace(/[#$%&{}_]/g, '\\$&');
  const parts = children.length > 0 ? [...children].map(texOf) : [text];
  const shape = SHAPES[localName === 'mi' && [...text].length > 1 ? 'mtext' : localName] ?? '*';
  return shape.replace(/[\d*]/g, (at) => parts[Number(at)] ?? parts.join(' '));
}
