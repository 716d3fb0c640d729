export interface EndedAccess {
  courseId: number;
  courseTitle: string;
  listed: boolean;
  /** Null where access was given by hand. */
  orderId: number | null;
  why: 'disputed' | 'refunded' | 'ended' | 'seat';
}

export function endedText({ courseTitle, why }: Pick<EndedAccess, 'courseTitle' | 'why'>): string {
  switch (why) {
    case 'disputed':
      return `The bank is looking into the payment for “${courseTitle}”. The course is closed until it has decided. Everything you did in it is kept. If you did not mean to dispute the payment, tell your bank and us.`;
    case 'refunded':
      return `The payment for “${courseTitle}” went back to you, and the access that came with it has ended. Everything you did is kept, and comes back if you buy the course again.`;
    case 'seat':
      return `Your organization’s seat in “${courseTitle}” has ended or rests. Everything you did is kept, and comes back with a seat. Ask the person who gave it to you.`;
    case 'ended':
      return `You do not have “${courseTitle}” any more. Everything you did in it is kept. If you think that this is a mistake, contact us.`;
  }
}
