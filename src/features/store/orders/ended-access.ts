/** A course that somebody had, and why they do not have it now. */
export interface EndedAccess {
  courseId: number;
  courseTitle: string;
  /** Whether they can have it again from the store. */
  listed: boolean;
  /** Of the purchase that gave it; null where it was given by hand. */
  orderId: number | null;
  why: 'disputed' | 'refunded' | 'ended';
}
