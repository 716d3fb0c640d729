export interface Step {
  id: number;
  title: string;
  section: string;
  done: boolean;
}

export interface SteppedCourse {
  id: number;
  title: string;
  steps: Step[];
}
