const SIGNS = {
  sup: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ°®*†',
  sub: '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ',
};

export const isRaised = (name: string): name is keyof typeof SIGNS => name in SIGNS;

/** Raised (or lowered) text as signs of Unicode; where one is missing as a formula, or as `^(…)`. */
export function raised(name: keyof typeof SIGNS, written: string, mayBeFormula = false): string {
  const text = written.trim();
  const signs = new Map([...SIGNS[name]].map((sign) => [sign.normalize('NFKC'), sign]));
  const found = [...text.replaceAll('-', '−')].map((sign) => signs.get(sign));
  if (!found.includes(undefined)) return found.join('');
  const mark = name === 'sup' ? '^' : '_';
  return mayBeFormula && !/[\\{}#%&_^~$`|"]/.test(text)
    ? `$${mark}{${text.replace(/\s+/g, '\\ ')}}$`
    : `${mark}(${text})`;
}
