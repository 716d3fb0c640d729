type Result = { ok: true; value: number } | { ok: false; problem: string };

function divide(a: number, b: number): Result {
  return b === 0 ? { ok: false, problem: 'by zero' } : { ok: true, value: a / b };
}

function show(result: Result): string {
  return result.ok ? String(result.value) : `Problem: ${result.problem}`;
}

console.log(show(divide(6, 3)));
