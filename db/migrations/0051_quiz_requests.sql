ALTER TABLE "quiz_attempts" ADD COLUMN "request_id" uuid;--> statement-breakpoint
CREATE UNIQUE INDEX "quiz_attempts_request_idx" ON "quiz_attempts" USING btree ("user_id","lesson_id","request_id");