CREATE INDEX "enrollments_order_item_idx" ON "enrollments" USING btree ("order_item_id");--> statement-breakpoint
CREATE INDEX "enrollments_current_lesson_idx" ON "enrollments" USING btree ("current_lesson_id");--> statement-breakpoint
CREATE INDEX "lesson_progress_course_idx" ON "lesson_progress" USING btree ("course_id");--> statement-breakpoint
CREATE INDEX "points_ledger_lesson_idx" ON "points_ledger" USING btree ("lesson_id");--> statement-breakpoint
CREATE INDEX "points_ledger_course_idx" ON "points_ledger" USING btree ("course_id");--> statement-breakpoint
CREATE INDEX "rate_limits_expire_idx" ON "rate_limits" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "orders_completed_at_idx" ON "orders" USING btree ("completed_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_coupon_idx" ON "orders" USING btree ("coupon_id");